import { randomInt, randomUUID } from 'node:crypto'

export type Message = { subject: string; text: string; html: string | null }

/** The mails to one address, or the text messages to one number, as its owner reads them: each once, in their order. */
export type Inbox = {
  address: string
  /** Waits for the next message that has a code: others say what happened to the account. */
  nextCode: () => Promise<string>
  nextMail: () => Promise<Message>
  count: () => Promise<number>
}

const waitMs = 15_000
const code = /\b\d{6}\b/

/** The inbox of an address that nobody had before. */
export const openInbox = (sandboxUrl: string, name = 'mira'): Inbox =>
  inboxOf(sandboxUrl, `${name}.${randomUUID()}@fieldnotes.test`)

/** The phone of a number that nobody had before, as `+12025550123`. */
export const openPhone = (sandboxUrl: string): Inbox =>
  inboxOf(sandboxUrl, `+120255${String(randomInt(100_000)).padStart(5, '0')}`)

export function inboxOf(sandboxUrl: string, address: string): Inbox {
  let cursor = 0
  const ask = (path: string, values: Readonly<Record<string, string>> = {}) =>
    fetch(`${sandboxUrl}/api/${path}?${new URLSearchParams({ to: address, ...values })}`)

  const nextMail = async () => {
    const answer = await ask('messages/next', { after: String(cursor), timeoutMs: String(waitMs) })
    if (answer.status !== 200) throw new Error(`Nothing has arrived for ${address} (${answer.status})`)
    const body = (await answer.json()) as { cursor: number; message: Message }
    cursor = body.cursor
    return body.message
  }

  return {
    address,
    nextMail,
    async nextCode() {
      for (;;) {
        const [found] = code.exec((await nextMail()).text) ?? []
        if (found !== undefined) return found
      }
    },
    async count() {
      const { messages } = (await (await ask('messages')).json()) as { messages: readonly unknown[] }
      return messages.length
    },
  }
}
