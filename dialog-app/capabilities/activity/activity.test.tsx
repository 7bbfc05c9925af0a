import type { ActivityEntry } from '@latchkey/protocol/api'
import { describe, expect, test } from 'vitest'
import { makeFixture, refused } from '../../testing/fixture.ts'
import { makeAuthAnswer, solanaAccount, visitorUser, walletUser } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'

const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const transaction: ActivityEntry = {
  id: 'two',
  at: 1_767_225_600,
  kind: 'transaction',
  method: 'eth_signTransaction',
  place: 'silent',
  digest: `0x${'ab'.repeat(32)}`,
  chainId: '10',
  to,
  value: '250000000000000000',
}
const created: ActivityEntry = { id: 'one', at: 1_767_225_500, kind: 'created' }
const appRequest: ActivityEntry = { id: 'zero', at: 1_767_225_400, kind: 'app_request', app: 'Harbor' }

type Answer = () => { activity: ActivityEntry[]; next: string | null }
const none: Answer = () => ({ activity: [], next: null })
const unreachable: Answer = () => {
  throw refused('internal_error', 500)
}

async function openAccount(answer: Answer, user = walletUser) {
  const fixture = await makeFixture({ answers: { activity: answer, me: () => user }, standalone: true })
  fixture.session.accept(makeAuthAnswer({ user }))
  void fixture.dialog.runStandalone()
  const page = renderDialog(fixture)
  await page.see('Log out')
  return { ...fixture, page }
}

async function openActivity(answer: Answer, user = walletUser) {
  const opened = await openAccount(answer, user)
  await opened.page.press('Wallet activity')
  return opened
}

describe('the wallet activity', () => {
  test('opens from the account screen, lists entries newest first, and closes with back', async () => {
    const { page, screen } = await openActivity(() => ({
      activity: [transaction, created, appRequest],
      next: null,
    }))
    await page.see('Transaction signed')
    expect(page.texts().join(' ')).toMatch(
      /Transaction signed 0\.25 ETH .* OP Mainnet · without asking you .*Wallet created .*Requested by a connected app .*Harbor/,
    )
    expect(page.hasButton('Show more')).toBe(false)
    expect(screen()).toBe('ACTIVITY_SCREEN')
    await page.press('Back')
    expect(screen()).toBe('SIGNED_IN')
  })

  test('is offered to a user with only a Solana wallet', async () => {
    const linkedAccounts = [...visitorUser.linkedAccounts, solanaAccount]
    const { page } = await openActivity(none, { ...visitorUser, linkedAccounts })
    await page.see('Your wallet has signed nothing yet.')
  })

  test('is not offered to a user without a wallet', async () => {
    const { page } = await openAccount(none, visitorUser)
    expect(page.hasButton('Wallet activity')).toBe(false)
  })

  test('loads again on request after the server did not respond', async () => {
    let answer = unreachable
    const { page } = await openActivity(() => answer())
    await page.see('Your activity could not be loaded')
    answer = none
    await page.press('Try again')
    await page.see('Your wallet has signed nothing yet.')
  })

  test('loads older entries on request, and retries a page that failed', async () => {
    const answers: Answer[] = [
      () => ({ activity: [transaction], next: '1767225600.two' }),
      unreachable,
      () => ({ activity: [created], next: null }),
    ]
    const { page, transport } = await openActivity(() => (answers.shift() ?? unreachable)())
    await page.press('Show more')
    await page.see('The server did not respond. Try again.')
    expect(page.has('Transaction signed')).toBe(true)
    await page.press('Show more')
    await page.see('Wallet created')
    expect(page.hasButton('Show more')).toBe(false)
    const older = { query: { before: '1767225600.two' } }
    expect(transport.calls('activity')).toMatchObject([{}, older, older])
  })
})
