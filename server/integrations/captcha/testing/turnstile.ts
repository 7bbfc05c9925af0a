/** A Turnstile verifier backed by the sandbox, and tokens like those a browser receives. */
import { startSandbox } from '../../../testing/sandbox.ts'
import { createTurnstileVerifier } from '../turnstile.ts'
import type { CaptchaVerifier } from '../verifier.ts'

type Challenge = { hostname?: string; action?: string; cdata: string }

export type TestTurnstile = {
  verifierWith: (secret: string) => CaptchaVerifier
  verifier: CaptchaVerifier
  /** Returns the token of a passed challenge for a hostname, an action and an app. */
  createToken: (asked: Challenge) => Promise<string>
  setFault: (fault: string) => Promise<unknown>
  validations: () => Promise<number>
}

export async function startTurnstile(): Promise<TestTurnstile> {
  const origin = await startSandbox()
  const post = (path: string, body: object) =>
    fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const verifierWith = (secret: string) =>
    createTurnstileVerifier({ origin, secret, hostname: 'dialog.localhost' })
  return {
    verifierWith,
    verifier: verifierWith('0x4AAAAAAAsandbox'),
    async createToken({ hostname = 'dialog.localhost', action = 'login', cdata }) {
      const answer = await post('/turnstile/challenge', { sitekey: '0x4AAAsite', hostname, action, cdata })
      return (await answer.json()).token
    },
    setFault: (turnstile) => post('/api/faults', { turnstile }),
    validations: async () => (await (await fetch(`${origin}/api/turnstile`)).json()).validations,
  }
}
