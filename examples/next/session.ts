import { createHmac, timingSafeEqual } from 'node:crypto'
import { cookies } from 'next/headers'

const cookieName = 'session'
const lifetimeSeconds = 60 * 60

type Session = { userId: string; expiresAt: number }

function sign(payload: string): Buffer {
  const secret = process.env.SESSION_SECRET ?? ''
  if (secret.length < 32) throw new Error('Set SESSION_SECRET in .env.local to 32 characters or more')
  return createHmac('sha256', secret).update(payload).digest()
}

export async function startSession(userId: string) {
  const session: Session = { userId, expiresAt: Date.now() + lifetimeSeconds * 1_000 }
  const payload = Buffer.from(JSON.stringify(session)).toString('base64url')
  const jar = await cookies()
  jar.set(cookieName, `${payload}.${sign(payload).toString('base64url')}`, {
    httpOnly: true,
    secure: process.env.NODE_ENV === 'production',
    sameSite: 'lax',
    maxAge: lifetimeSeconds,
  })
}

export async function endSession() {
  const jar = await cookies()
  jar.delete(cookieName)
}

/** Returns the session of the request, or undefined. For Server Components, Server Actions and route handlers. */
export async function readSession(): Promise<Session | undefined> {
  const jar = await cookies()
  const [payload = '', signature = ''] = jar.get(cookieName)?.value.split('.') ?? []
  const expected = sign(payload)
  const actual = Buffer.from(signature, 'base64url')
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined
  const session: Session = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return session.expiresAt > Date.now() ? session : undefined
}
