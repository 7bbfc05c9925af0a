import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import type { MethodInProgress } from '../../contract/login.ts'
import { settle } from '../../testing/clock.ts'
import { createControlledMethod } from '../../testing/controlled-method.ts'
import { makeFixture, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { capabilities } from '../index.ts'

const rejection = new LatchkeyError('linked_to_another_user', 'Linked to another user')

async function open(start?: Promise<void>) {
  const method = createControlledMethod({ ...(start && { start }) })
  const fixture = await makeFixture({
    answers: { me: () => visitorUser },
    app: { googleOauth: true },
    capabilities: capabilities.map((each) => (each.name === 'oauth' ? method.capability : each)),
  })
  fixture.session.accept(makeAuthAnswer())
  const linked = watch(fixture.link('google'))
  await settle()
  const complete = async () => {
    await method.complete()
    await settle()
  }
  return { ...method, fixture, linked, progress: await method.progress, complete }
}

describe('a link', () => {
  test('shows the entry of the method, then lets it resume', async () => {
    const { fixture, resumptions } = await open()
    expect(fixture.screen()).toBe('LINK_ACCOUNT_SCREEN')
    expect(resumptions).toEqual([true])
  })

  test('shows an error of a method that has not started yet', async () => {
    const { fixture, progress } = await open(new Promise(() => {}))
    progress.refuse(rejection)
    await settle()
    expect(fixture.screen()).toBe('ERROR_SCREEN')
  })

  test('tells the host at once, and keeps its last screen for a moment', async () => {
    const { fixture, linked, progress, complete } = await open()
    progress.refuse(rejection)
    await settle()
    await complete()
    expect(linked.value).toMatchObject({ user: { id: visitorUser.id } })
    expect(fixture.view()?.open).toBe(true)
    await fixture.clock.advance(1_400)
    expect(fixture.view()?.open).toBe(false)
  })

  test('ignores an error, a problem and a second account after it linked one', async () => {
    const { fixture, linked, progress, complete } = await open()
    await complete()
    progress.refuse(rejection)
    progress.failed?.(rejection)
    await complete()
    expect(fixture.screen()).toBe('LINK_ACCOUNT_SCREEN')
    expect(linked.value).toMatchObject({ user: { id: visitorUser.id } })
  })

  test.each<[string, (progress: MethodInProgress) => void, string]>([
    ['without a problem', () => {}, 'exited_link_flow'],
    ['after an error screen', ({ refuse }) => refuse(rejection), 'linked_to_another_user'],
    [
      'after a problem on the screen of the method',
      ({ failed }) => failed?.(rejection),
      'linked_to_another_user',
    ],
    ['after an error without a code', ({ refuse }) => refuse(new Error('odd')), 'failed_to_link_account'],
    [
      'after another choice',
      ({ refuse, chosen }) => {
        refuse(rejection)
        chosen()
      },
      'exited_link_flow',
    ],
  ])('that the user closes %s ends with its last problem', async (_, happen, code) => {
    const { fixture, linked, progress } = await open()
    happen(progress)
    await settle()
    await fixture.close()
    expect(linked.error).toMatchObject({ code })
  })
})
