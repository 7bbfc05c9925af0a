import { randomInt } from 'node:crypto'

/** Reads the mail of one address from the sandbox, or the messages to one number, as its owner would. */
export type Inbox = {
  readonly address: string
  /** Waits for the next mail that has a code: others say what happened to the account. */
  readonly nextCode: () => Promise<string>
  readonly nextMail: () => Promise<{ subject: string; text: string; html: string | null }>
  readonly count: () => Promise<number>
}

let addresses = 0

export const openInbox = (sandboxUrl: string, name = 'mira'): Inbox =>
  inboxOf(sandboxUrl, `${name}.${process.pid}.${Date.now()}.${++addresses}@fieldnotes.test`)

/** Opens the inbox of a number that nobody had before. `address` has the form `+12025550123`. */
export const openPhone = (sandboxUrl: string): Inbox =>
  inboxOf(sandboxUrl, `+120255${String(randomInt(100_000)).padStart(5, '0')}`)

function inboxOf(sandboxUrl: string, address: string): Inbox {
  let cursor = 0
  const query = (path: string, values: Record<string, string>) =>
    `${sandboxUrl}/api/${path}?${new URLSearchParams({ to: address, ...values })}`

  const nextMail = async () => {
    const answer = await fetch(query('messages/next', { after: String(cursor), timeoutMs: '15000' }))
    if (answer.status !== 200) throw new Error(`No mail for ${address} (${answer.status})`)
    const body = (await answer.json()) as {
      cursor: number
      message: { subject: string; text: string; html: string | null }
    }
    cursor = body.cursor
    return body.message
  }

  return {
    address,
    nextMail,
    nextCode: async () => {
      for (;;) {
        const [code] = /\b\d{6}\b/.exec((await nextMail()).text) ?? []
        if (code) return code
      }
    },
    count: async () => {
      const answer = await fetch(query('messages', {}))
      return ((await answer.json()) as { messages: unknown[] }).messages.length
    },
  }
}
