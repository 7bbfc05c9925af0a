/**
 * How a page of this origin that stands at the top of a window of its own finds the wallet frame. It says hello, with the
 * handle in its address, to the frames that it finds by its opener; the one that waits for this handle answers, once, and
 * from then on they speak over a channel. The browser vouches for both: each takes messages of this very origin and of the
 * one window alone.
 */
import { base64url, product } from '@latchkey/protocol'
import * as v from 'valibot'

const hello = `${product.key}:page:hello`
const here = `${product.key}:page:here`
/** 32 random bytes. */
const pageHandle = v.pipe(base64url, v.length(43))
const messageSchema = v.object({ type: v.picklist([hello, here]), handle: pageHandle })

export const helloOf = (handle: string) => ({ type: hello, handle })
export const hereOf = (handle: string) => ({ type: here, handle })

/** The handle of a message of this kind; undefined for every other message. */
export function handleIn(data: unknown, type: typeof hello | typeof here): string | undefined {
  const message = v.safeParse(messageSchema, data)
  return message.success && message.output.type === type ? message.output.handle : undefined
}
export const pageMessages = { hello, here } as const
