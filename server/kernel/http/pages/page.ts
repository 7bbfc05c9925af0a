/**
 * Routes that are no API calls: HTML pages, redirects, form posts of other sites, documents. A row declares the path
 * and the permitted initiator; `mount-pages.ts` enforces it.
 *
 *     page({
 *       site: 'dialog',
 *       method: 'POST',
 *       path: '/oauth/callback/{provider}',
 *       openedBy: 'anybody',
 *       form: v.object({ code: v.string(), state: v.string() }),
 *       answer: async ({ form }, context) => ({ type: 'redirect', to: await … }),
 *     })
 */
import type { Context } from 'hono'
import type * as v from 'valibot'
import type { ServerContext } from '../../context.ts'
import { parseFields } from '../body.ts'
import type { HttpEnv } from '../mount.ts'
import { omitted } from '../steps.ts'
import type { Wait } from '../waits.ts'

type Address = {
  /** The hostname that serves the page; other hostnames return 404. */
  site: 'dialog' | 'wallet' | 'any'
  method: 'GET' | 'POST' | 'OPTIONS'
  /** `{name}` is a parameter. */
  path: `/${string}`
  /** The permitted initiator: a navigation of our own origin (`opened-by.ts`), or any link or form. */
  openedBy: 'same origin' | 'anybody'
  /** Counts towards the rate limit for changes, for a GET that adds rows. A POST always does. */
  paced?: 'changes'
  /** `Content-Security-Policy` of the response. The default blocks scripts and framing. */
  policy?: string
  headers?: Readonly<Record<string, string>>
}

export type PageRow<Query, Form> = Address & {
  query?: v.GenericSchema<unknown, Query>
  /** The fields of a form post: `application/x-www-form-urlencoded`, in the sender's names. */
  form?: v.GenericSchema<unknown, Form>
  answer: (call: PageCall<Query, Form>, context: ServerContext) => Promise<PageAnswer> | PageAnswer
}

export type PageCall<Query, Form> = {
  params: Readonly<Record<string, string>>
  query: Query
  form: Form
  /** The address that rate limits count, if it is known. */
  address: string | undefined
  /** Keeps the response open until an event. */
  wait: Wait
  /** Request headers, and cookies and headers of the response. */
  c: Context<HttpEnv>
}

export type PageAnswer =
  | { type: 'html'; html: string; status?: 200 | 400 | 403 | 404 }
  | { type: 'redirect'; to: string }
  /** A script or stylesheet of a page. */
  | { type: 'file'; mediaType: 'text/javascript' | 'text/css'; text: string }
  | { type: 'json'; value: unknown }
  /** Other code has responded on the socket; nothing is added. */
  | { type: 'answered' }

type Fields = Readonly<Record<string, string>>

/** A page with raw fields. It parses them with its own schemas. */
export type Page = Address & {
  takesForm: boolean
  answer: (call: PageCall<Fields, Fields>, context: ServerContext) => Promise<PageAnswer>
}

export const page = <Query = undefined, Form = undefined>({
  query,
  form,
  answer,
  ...address
}: PageRow<Query, Form>): Page => ({
  ...address,
  takesForm: form !== undefined,
  answer: async (call, context) =>
    answer(
      {
        ...call,
        query: query ? parseFields(query, call.query) : omitted,
        form: form ? parseFields(form, call.form) : omitted,
      },
      context,
    ),
})
