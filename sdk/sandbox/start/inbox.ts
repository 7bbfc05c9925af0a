import { randomInt, randomUUID } from 'node:crypto'

export type Message = { subject: string; text: string; html: string | null }

/** The mails to an address, or the text messages to a number, each once and in order. */
export type Inbox = {
  address: string
  /** Waits for the next message with a code. Skips notices about the account. */
  nextCode: () => Promise<string>
  nextMail: () => Promise<Message>
  count: () => Promise<number>
}

const waitMs = 15_000
const code = /\b\d{6}\b/

/** Opens the inbox of a new address. */
export const openInbox = (sandboxUrl: string, name = 'mira'): Inbox =>
  createInbox(sandboxUrl, `${name}.${randomUUID()}@fieldnotes.test`)

/** Opens the phone of a new number, such as `+12025550123`. */
export const openPhone = (sandboxUrl: string): Inbox =>
  createInbox(sandboxUrl, `+120255${String(randomInt(100_000)).padStart(5, '0')}`)

export function createInbox(sandboxUrl: string, address: string): Inbox {
  let cursor = 0
  const ask = (path: string, values: Readonly<Record<string, string>> = {}) =>
    fetch(`${sandboxUrl}/api/${path}?${new URLSearchParams({ to: address, ...values })}`)

  const nextMail = async () => {
    const answer = await ask('messages/next', { after: String(cursor), timeoutMs: String(waitMs) })
    if (answer.status !== 200) throw new Error(`No message has arrived for ${address} (${answer.status})`)
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
      const { messages } = (await (await ask('messages')).json()) as { messages: unknown[] }
      return messages.length
    },
  }
}
