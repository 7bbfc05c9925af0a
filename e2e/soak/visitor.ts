/**
 * A visitor that acts like a browser: an own IP address, retries with the same request id until a response,
 * and a proof on each call. Acknowledged calls go to the ledger. Violations of the guarantees are losses.
 */
import { randomUUID } from 'node:crypto'
import {
  createLoginStart,
  createWallet,
  getMailedCode,
  guess,
  type LoggedIn,
  logIn,
  logInElsewhere,
  type Place,
  putMessage,
  RefusedError,
  refresh,
  releaseShares,
  sendCode,
  signApproved,
  useCode,
} from '../client/user.ts'
import type { Account, Ledger } from './ledger.ts'

type Life = { place: Place; ledger: Ledger }

/** Makes one visit after the other until the soak ends. */
export async function live(life: Life, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const kind = Math.random()
    if (kind < 0.15) await attempt(life, 'guesses', () => guessTooOften(life))
    else await visit(life, kind < 0.45)
  }
}

/** Returns undefined if there was no response in time. Then nothing was acknowledged. */
async function attempt<Result>(
  { ledger }: Life,
  what: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RefusedError && error.status < 500 && error.status !== 425) {
      ledger.lose(`${what}: ${error.message}`)
    }
    ledger.count('givenUp')
    return undefined
  }
}

async function visit(life: Life, twice: boolean): Promise<void> {
  const { ledger, place } = life
  const user = await attempt(life, 'login', () => (twice ? logInTwiceAtOnce(life) : logIn(place)))
  if (!user) return
  ledger.count('logins')
  const account = ledger.open(user)
  const address = await attempt(life, 'wallet', () =>
    twice ? makeWalletTwiceAtOnce(life, user) : createWallet(place, user),
  )
  if (address !== undefined) {
    ledger.count('wallets')
    account.address = address
  }
  for (let turn = 0; turn < 3; turn += 1) {
    const next = await attempt(life, 'refresh', () => refresh(place, account.user))
    if (!next) continue
    ledger.count('refreshes')
    account.user = { ...account.user, token: next.token, refreshToken: next.refreshToken }
  }
  if (address === undefined) return
  await attempt(life, 'approval', () => approveOnce(life, account, address))
  if (Math.random() < 0.3) await attempt(life, 'recovery', () => recoverElsewhere(life, account, address))
}

/** Checks that a confirmation opens the wallet once, even across processes. */
async function approveOnce({ ledger, place }: Life, { user }: Account, address: string): Promise<void> {
  const approval = await putMessage(place, user, address, `Visit ${randomUUID()}`)
  await signApproved(place, user, address, approval)
  ledger.count('approvals')
  try {
    await signApproved(place, user, address, approval)
    ledger.lose(`an approval of ${user.userId} opened the wallet twice`)
  } catch (error) {
    if (!(error instanceof RefusedError) || error.status >= 500) throw error
  }
}

/** Checks that the user gets the wallet's shares in another browser. */
async function recoverElsewhere({ ledger, place }: Life, account: Account, address: string): Promise<void> {
  account.isElsewhere = true
  const elsewhere = await logInElsewhere(place, account.user.email)
  if (elsewhere.userId !== account.user.userId) ledger.lose(`${account.user.email} became somebody else`)
  await releaseShares(place, elsewhere, address)
  ledger.count('recoveries')
}

/**
 * Sends the call for a code twice with one request id. The second reaches another process while the first is
 * still sending its mail. If nothing was disturbed meanwhile, one mail arrives.
 */
async function logInTwiceAtOnce({ ledger, place }: Life): Promise<LoggedIn> {
  const [beginning, requestId] = [createLoginStart(), randomUUID()]
  const { email } = beginning
  const disturbancesBefore = ledger.disturbances()
  await Promise.all([1, 2].map(() => sendCode(place, beginning, requestId)))
  const code = await getMailedCode(place, email)
  const mails = await mailsTo(place, email)
  if (ledger.disturbances() === disturbancesBefore) {
    ledger.count('repeatedMailCalls')
    if (mails !== 1) ledger.lose(`${mails} mails for one call of ${email}`)
  }
  return useCode(place, beginning, code)
}

async function mailsTo(place: Place, email: string): Promise<number> {
  const answer = await fetch(`${place.sandboxUrl}/api/messages?${new URLSearchParams({ to: email })}`)
  const { messages } = (await answer.json()) as { messages: unknown[] }
  return messages.length
}

/** Creates a wallet in two tabs at once. Both must end with the same one. */
async function makeWalletTwiceAtOnce({ ledger, place }: Life, user: LoggedIn): Promise<string> {
  const results = await Promise.allSettled([createWallet(place, user), createWallet(place, user)])
  const addresses = new Set(results.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])))
  if (addresses.size > 1) ledger.lose(`${user.userId} was told of two wallets: ${[...addresses].join(', ')}`)
  const [address] = addresses
  const [failed] = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  if (address === undefined) throw failed
  return address
}

const guesses = 12
const evaluatedAtMost = 5

/** Checks that only five guesses are evaluated, even if they reach several processes at once. */
async function guessTooOften({ ledger, place }: Life): Promise<void> {
  const beginning = createLoginStart()
  const { email } = beginning
  await sendCode(place, beginning)
  const code = Number(await getMailedCode(place, email))
  const wrong = Array.from({ length: guesses }, (_, at) =>
    String((code + 1 + at) % 1_000_000).padStart(6, '0'),
  )
  const results = await Promise.allSettled(wrong.map((guessed) => guess(place, beginning, guessed)))
  const statuses = results.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  const evaluated = statuses.filter((status) => status === 422).length
  ledger.count('guesses', statuses.length)
  if (evaluated > evaluatedAtMost) ledger.lose(`${evaluated} guesses at ${email} were looked at`)
  const others = statuses.filter((status) => ![422, 429].includes(status) && status < 500)
  if (others.length > 0) ledger.lose(`guesses at ${email} were answered with ${others.join(', ')}`)
}
