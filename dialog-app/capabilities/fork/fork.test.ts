import { expect, test } from 'vitest'
import { makeAuthAnswer, makeToken, visitorUser } from '../../testing/fixtures.ts'
import { makeWorld } from '../../testing/world.ts'

const code = { code: 'one-use', expiresInSeconds: 60 }
const answers = { createSessionCode: () => code }
const nobody = { code: 'must_be_authenticated' }

test('a visitor can not fork, nor somebody who has still to accept the terms', async () => {
  const world = await makeWorld({ answers, config: { legal: { requireUsersAcceptTerms: true } } })
  await expect(world.more('forkSession', {})).rejects.toMatchObject(nobody)
  world.session.accept(makeAuthAnswer())
  await expect(world.more('forkSession', {})).rejects.toMatchObject(nobody)
  world.session.replaceUser({ ...visitorUser, hasAcceptedTerms: true })
  expect(await world.more('forkSession', {})).toEqual(code)
})

test('a host gets a fork as a one-use code, and the session stays as it is', async () => {
  const world = await makeWorld({ answers })
  world.session.accept(makeAuthAnswer())
  const before = world.keeper.read()
  expect(await world.more('forkSession', {})).toEqual(code)
  expect(world.transport.calls('createSessionCode')).toMatchObject([{ body: {}, token: makeToken() }])
  expect(world.keeper.read()).toEqual(before)
})
