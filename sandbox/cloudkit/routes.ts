/**
 * CloudKit Web Services for one container, below `/oauth/api.apple-cloudkit.com/`, with its sign-in page.
 * Like Apple's, that page posts the session to its opener.
 * https://developer.apple.com/library/archive/documentation/DataManagement/Conceptual/CloudKitWebServicesReference/
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { allowCrossOrigin } from '../cross-origin.ts'
import type { FaultSwitch } from '../faults.ts'
import { withForeignWallet } from '../google-drive/routes.ts'
import { type Call, getOrigin, type Route, readForm, readJson, send, sendJson } from '../http.ts'
import { thirdPartyPage } from '../pages/layout.ts'

const container = 'iCloud.sandbox.wallets'
const apiToken = 'sandboxtokenofthecontainer'
const html = 'text/html; charset=utf-8'
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"

const statuses = {
  AUTHENTICATION_FAILED: 401,
  AUTHENTICATION_REQUIRED: 421,
  BAD_REQUEST: 400,
  QUOTA_EXCEEDED: 413,
  TRY_AGAIN_LATER: 503,
} as const
const refuse = (response: ServerResponse, serverErrorCode: keyof typeof statuses, more: object = {}) =>
  sendJson(
    response,
    { uuid: randomBytes(16).toString('hex'), serverErrorCode, ...more },
    statuses[serverErrorCode],
  )

export const cloudKitRoutes = (faults: FaultSwitch): readonly Route[] => {
  /** Persons by session. */
  const sessions = new Map<string, string>()
  /** Records by person, then by record name. */
  const databases = new Map<string, Map<string, string>>()
  const getDatabase = (person: string) => {
    const records = databases.get(person) ?? new Map<string, string>()
    databases.set(person, records)
    return records
  }
  const inContainer = (rest: string) =>
    new RegExp(
      `^/oauth/api\\.apple-cloudkit\\.com/database/1/${container.replaceAll('.', '\\.')}/development/${rest}$`,
    )

  /** Returns the current fault, or undefined if it has already sent a response. */
  async function admitCall({ response, url: { searchParams } }: Call): Promise<string | undefined> {
    const fault = await faults.afterStall('cloudKit')
    if (fault === 'failing') return void refuse(response, 'TRY_AGAIN_LATER')
    if (searchParams.get('ckAPIToken') !== apiToken) return void refuse(response, 'AUTHENTICATION_FAILED')
    return fault
  }

  const caller: Route = {
    method: 'GET',
    path: inContainer('public/users/caller'),
    handle: async (call) => {
      if ((await admitCall(call)) === undefined) return
      const redirectURL = `${getOrigin(call.request)}/cloudkit/sign-in`
      refuse(call.response, 'AUTHENTICATION_REQUIRED', { redirectURL })
    },
  }
  const records = (
    path: 'lookup' | 'modify',
    handle: (body: Record<string, unknown>, database: Map<string, string>) => object | undefined,
  ): Route => ({
    method: 'POST',
    path: inContainer(`private/records/${path}`),
    handle: async (call) => {
      const fault = await admitCall(call)
      if (fault === undefined) return
      const { response } = call
      const person = sessions.get(call.url.searchParams.get('ckSession') ?? '')
      if (person === undefined || fault === 'expired') return refuse(response, 'AUTHENTICATION_FAILED')
      if (fault === 'full' && path === 'modify') return refuse(response, 'QUOTA_EXCEEDED')
      const record = handle(Object(await readJson(call.request)), getDatabase(person))
      if (record === undefined) return refuse(response, 'BAD_REQUEST')
      sendJson(response, { records: [record] })
    },
  })
  const lookUp = records('lookup', ({ records: requests }, database) => {
    const { recordName } = Object(Object(requests)[0])
    const value = database.get(recordName)
    if (value === undefined) return { recordName, serverErrorCode: 'NOT_FOUND' }
    return { recordName, recordType: 'RecoveryFile', fields: { content: { value, type: 'STRING' } } }
  })
  const modify = records('modify', ({ operations }, database) => {
    const { operationType, record } = Object(Object(operations)[0])
    const { recordName, recordType, fields } = Object(record)
    if (operationType === 'forceDelete') {
      return database.delete(recordName)
        ? { recordName, deleted: true }
        : { recordName, serverErrorCode: 'NOT_FOUND' }
    }
    const value = Object(Object(fields).content).value
    if (operationType !== 'forceReplace' || recordType !== 'RecoveryFile' || typeof value !== 'string')
      return undefined
    database.set(recordName, value)
    return { recordName, recordType }
  })

  const show = (response: ServerResponse, content: string) =>
    send(response, { type: html, content, headers: { 'content-security-policy': policy } })
  const signIn: Route = {
    method: 'GET',
    path: /^\/cloudkit\/sign-in$/,
    handle: ({ response }) => show(response, signInPage()),
  }
  const signedIn: Route = {
    method: 'POST',
    path: /^\/cloudkit\/signed-in$/,
    handle: async ({ request, response }) => {
      const form = (await readForm(request)) ?? new URLSearchParams()
      const ckSession = randomBytes(24).toString('base64url')
      if (!form.has('denied')) sessions.set(ckSession, form.get('person') ?? 'Ada Lovelace')
      show(response, signedInPage(form.has('denied') ? undefined : ckSession))
    },
  }
  const file = (name: string, type: string): Route => {
    const content = readFileSync(new URL(`./page/${name}`, import.meta.url))
    return {
      method: 'GET',
      path: new RegExp(`^/cloudkit/${name.replaceAll('.', '\\.')}$`),
      handle: ({ response }) => send(response, { type, content }),
    }
  }

  /** Returns the same shape as `/api/google-drive`. */
  const listFiles = () => ({
    files: [...databases.values()].flatMap((database) =>
      Array.from(database, ([name, content]) => ({ name, content })),
    ),
  })
  const inspect: Route = {
    method: 'GET',
    path: /^\/api\/cloudkit$/,
    handle: ({ response }) => sendJson(response, listFiles()),
  }
  const change: Route = {
    method: 'POST',
    path: /^\/api\/cloudkit$/,
    handle: async ({ request, response }) => {
      const { files } = Object(await readJson(request))
      if (files === 'cleared') databases.clear()
      if (files === 'foreign') {
        for (const database of databases.values())
          for (const [name, content] of database) database.set(name, withForeignWallet(content))
      }
      sendJson(response, listFiles())
    },
  }

  return [
    caller,
    ...allowCrossOrigin([lookUp, modify]),
    signIn,
    signedIn,
    file('answer.js', 'text/javascript; charset=utf-8'),
    inspect,
    change,
  ]
}

/** Renders the iCloud sign-in page, or the page that posts the session to its opener. */
const page = (title: string, body: string) =>
  thirdPartyPage(title, `<h1>iCloud <small>in the sandbox</small></h1>\n${body}`)

const signInPage = () =>
  page(
    'Sign in to iCloud',
    `<form method="post" action="/cloudkit/signed-in">
<label>Somebody else <input name="person" required autocomplete="off"></label>
<button>Continue</button>
</form>
<form method="post" action="/cloudkit/signed-in">
<button name="denied" value="yes">Deny</button>
</form>`,
  )

/** Session ids are base64url, so they need no escaping. */
const signedInPage = (ckSession: string | undefined) =>
  page(
    'Signed in',
    ckSession === undefined
      ? '<p>You did not sign in. Close this window.</p>'
      : `<p>You can close this window.</p>
<script src="/cloudkit/answer.js" data-session="${ckSession}"></script>`,
  )
