/** Operators of a test server, and the browsers in which they use the dashboard. */
import { confirmationHeader, type OperatorRole, signInPrefix } from '@latchkey/protocol/admin'
import * as v from 'valibot'
import { type Ceremony, testPasskey } from '../../../login/passkey/testing/authenticator.ts'
import { inviteOperator } from '../operators/operators.ts'
import { type AdminFixture, type AdminRequest, adminOrigin } from './fixture.ts'

const challenges = v.looseObject({ options: v.looseObject({ challenge: v.string() }) })
const joining = v.looseObject({
  options: v.looseObject({ challenge: v.string(), user: v.looseObject({ id: v.string() }) }),
})
const confirming = v.looseObject({ confirmation: v.looseObject({ challenge: v.string() }) })

export const ownHeaders = { origin: adminOrigin, 'sec-fetch-site': 'same-origin' } as const

const inDashboard = (challenge: string): Ceremony => ({
  challenge,
  origin: adminOrigin,
  rpId: 'admin.localhost',
})

type Invited = { email?: string; role?: OperatorRole; appId?: string | null }

/** Invites an operator. Returns their browser, before the passkey is registered. */
export async function inviteForTest(fixture: AdminFixture, invited: Invited = {}) {
  const { context, server } = fixture
  const { email = 'ada@operator.example', role = 'owner', appId = null } = invited
  const { operator, invitation } = await context.transaction((trx) =>
    inviteOperator(trx, context.clock, { email, role, appId, hours: 24 }),
  )
  const passkey = testPasskey()
  let cookie: string | undefined

  const send = async (path: string, body: object, headers: object = ownHeaders, method = 'POST') => {
    const answer = await server.request(`${adminOrigin}${signInPrefix}${path}`, {
      method,
      headers: { ...headers, ...(cookie !== undefined && { cookie }), 'content-type': 'application/json' },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    })
    const set = answer.headers.get('set-cookie')
    if (set !== null) cookie = set.split(';')[0]
    return { status: answer.status, setCookie: set, body: await answer.json() }
  }
  const open = async () => v.parse(joining, (await send('/invitation', { invitation })).body).options
  const register = (
    { challenge, user }: Awaited<ReturnType<typeof open>>,
    changes: Partial<Ceremony> = {},
    authenticator = passkey,
  ) => authenticator.make(user.id, { ...inDashboard(challenge), ...changes })
  const join = async () => send('/invitation/accept', { invitation, credential: register(await open()) })

  const getChallenge = async () => v.parse(challenges, (await send('/sign-in', {})).body).options.challenge
  const answerChallenge = (challenge: string, changes: Partial<Ceremony> = {}, authenticator = passkey) =>
    authenticator.answer({ ...inDashboard(challenge), ...changes })
  const signIn = async () => send('/sign-in/finish', { credential: answerChallenge(await getChallenge()) })

  /** Makes a call of the Admin API with the cookie of this browser. */
  const call = (method: string, path: string, request: AdminRequest = {}) =>
    fixture.call(method, path, {
      key: undefined,
      ...request,
      headers: { ...ownHeaders, ...(cookie !== undefined && { cookie }), ...request.headers },
    })
  const toHeader = (assertion: object) => ({
    [confirmationHeader]: Buffer.from(JSON.stringify(assertion)).toString('base64url'),
  })
  /** Makes a call of the dashboard's own page, and repeats it with the assertion that it asks for. */
  const sendConfirmed = async (path: string, body: object) => {
    const { challenge } = v.parse(confirming, (await send(path, body)).body).confirmation
    return send(path, body, { ...ownHeaders, ...toHeader(answerChallenge(challenge)) })
  }
  /** Registers a further passkey, on another authenticator unless it is passed. */
  const addPasskey = async (authenticator = testPasskey()) => {
    const { options } = v.parse(joining, (await sendConfirmed('/passkeys/begin', {})).body)
    return send('/passkeys', { credential: register(options, {}, authenticator) })
  }
  /** Makes a call, and repeats it with the assertion that it asks for. */
  const confirm = async (method: string, path: string, request: AdminRequest = {}) => {
    const { challenge } = v.parse(confirming, (await call(method, path, request)).body).confirmation
    const headers = { ...request.headers, ...toHeader(answerChallenge(challenge)) }
    return call(method, path, { ...request, headers })
  }
  return {
    id: operator.id,
    email,
    passkey,
    invitation,
    send,
    open,
    register,
    join,
    getChallenge,
    answerChallenge,
    signIn,
    call,
    toHeader,
    confirm,
    sendConfirmed,
    addPasskey,
    getCookie: () => cookie,
    setCookie: (value: string | undefined) => {
      cookie = value
    },
  }
}
export type OperatorBrowser = Awaited<ReturnType<typeof inviteForTest>>

/** Returns the browser of an operator who is signed in. */
export async function signInOperator(fixture: AdminFixture, invited: Invited = {}): Promise<OperatorBrowser> {
  const browser = await inviteForTest(fixture, invited)
  const { status } = await browser.join()
  if (status !== 200) throw new Error(`The operator could not join: ${status}`)
  return browser
}
