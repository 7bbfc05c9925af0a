/** A page with a login of its own. Its server signs tokens of its users for Latchkey. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

const { LATCHKEY_APP_ID: appId, LATCHKEY_DIALOG_URL: dialogUrl, PORT: port = '8080' } = process.env
if (!appId || !dialogUrl) {
  throw new Error('Set LATCHKEY_APP_ID and LATCHKEY_DIALOG_URL in .env, as in .env.example')
}
const issuer = `http://localhost:${port}`

// In production, keep the key in your secret store, so that it survives a restart.
const { privateKey, publicKey } = await generateKeyPair('ES256')
const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'key-1' }

// #region token
const signToken = (userId: string): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: jwk.kid })
    .setIssuer(issuer)
    .setAudience(appId)
    .setSubject(userId)
    .setIssuedAt()
    .setExpirationTime('5 minutes')
    .sign(privateKey)
// #endregion token

/** The user ids by session. Your login takes the place of this map, and checks a password. */
const sessions = new Map<string, string>()
const sessionId = ({ headers }: IncomingMessage) => /session=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? ''

const read = (name: string) =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .replace('%LATCHKEY_APP_ID%', appId)
    .replace('%LATCHKEY_DIALOG_URL%', dialogUrl)

type Reply = { status?: number; type?: string; cookie?: string; text: string }

const routes: Record<string, (request: IncomingMessage) => Reply | Promise<Reply>> = {
  'GET /': () => ({ type: 'text/html', text: read('index.html') }),
  'GET /page.js': () => ({ type: 'text/javascript', text: read('page.js') }),
  'GET /jwks.json': () => ({ type: 'application/json', text: JSON.stringify({ keys: [jwk] }) }),
  async 'POST /token'(request) {
    const userId = sessions.get(sessionId(request))
    return userId === undefined ? { status: 401, text: '' } : { text: await signToken(userId) }
  },
  async 'POST /login'(request) {
    const id = randomUUID()
    sessions.set(id, await new Response(request as never).text())
    return { cookie: `session=${id}; Path=/; HttpOnly; SameSite=Strict`, text: '' }
  },
  'POST /logout'(request) {
    sessions.delete(sessionId(request))
    return { text: '' }
  },
}

createServer(async (request, response) => {
  const route = routes[`${request.method} ${request.url}`]
  const reply = route ? await route(request) : { status: 404, text: '' }
  const { status = 200, type = 'text/plain', cookie, text } = reply
  if (cookie) response.setHeader('set-cookie', cookie)
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text)
}).listen(Number(port), () => console.log(issuer))
