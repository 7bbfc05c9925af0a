/** The sandbox's Farcaster relay and its users' phones. */
import * as v from 'valibot'
import { setFaults } from '../stack/faults.ts'
import type { Stack } from '../stack/stack.ts'

const channels = v.object({ last: v.nullable(v.string()), opened: v.number(), polled: v.number() })

export class FarcasterPhones {
  readonly stack: Stack
  constructor(stack: Stack) {
    this.stack = stack
  }
  post = (path: string, body: unknown) =>
    fetch(this.stack.sandboxUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  setFault = (farcaster: string) => setFaults(this.stack, { farcaster })
  async channels() {
    const answer = await fetch(`${this.stack.sandboxUrl}/api/farcaster`)
    return v.parse(channels, await answer.json())
  }
  /** Answers the latest sign-in request on this person's phone. */
  async phone(person: string, wrong?: string) {
    const { last } = await this.channels()
    await this.post('/api/farcaster/phone', { channelToken: last, person, wrong })
  }
  async signers() {
    const answer = await fetch(`${this.stack.sandboxUrl}/api/farcaster/signer`)
    return v.parse(v.object({ last: v.nullable(v.string()), looked: v.number() }), await answer.json())
  }
  /** Answers the latest signer request on this person's phone. */
  async signer(person: string, act: 'approve' | 'deny' | 'remove') {
    const { last } = await this.signers()
    await this.post('/api/farcaster/signer', { token: last, person, act })
  }
}
