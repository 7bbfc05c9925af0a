/**
 * The handshake by which a top-level page of this origin finds the wallet frame. The page posts a hello with
 * the handle in its URL to each frame that it finds through its opener. The frame that expects this handle
 * answers once, and both then communicate over a channel. Each side accepts only messages of this origin and
 * from that one window.
 */
import { base64url, product } from '@latchkey/protocol'
import * as v from 'valibot'

const hello = `${product.key}:page:hello`
const here = `${product.key}:page:here`
/** 32 random bytes. */
const pageHandle = v.pipe(base64url, v.length(43))
const messageSchema = v.object({ type: v.picklist([hello, here]), handle: pageHandle })

export const createHello = (handle: string) => ({ type: hello, handle })
export const createHere = (handle: string) => ({ type: here, handle })

/** Returns the handle of a message of this type; undefined for any other message. */
export function parseHandle(data: unknown, type: typeof hello | typeof here): string | undefined {
  const message = v.safeParse(messageSchema, data)
  return message.success && message.output.type === type ? message.output.handle : undefined
}
export const pageMessages = { hello, here } as const
