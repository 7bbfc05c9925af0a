/** Calls that link an account to the user or unlink it, such as `linkEmail` and `unlinkEmail`. */
import { callNames, loginMethods } from '@latchkey/protocol'
import { linkingAnswers } from '@latchkey/protocol/host'
import type { CallOptions } from '../types/options.ts'
import type { Linkable, User } from '../types/published.ts'
import { textIn } from './arguments.ts'
import { type AnyMessage, type LazyRows, link, type Messages, message } from './row.ts'

/** Each opens the dialog, in which the user proves ownership of the account. */
export type LinkCalls = {
  [Name in Linkable as `link${Name}`]: (options?: CallOptions) => Promise<User>
}
/**
 * Each opens the dialog to confirm. The id identifies the account: e-mail address, phone number, wallet address
 * or subject.
 */
export type UnlinkCalls = {
  [Name in Linkable as `unlink${Name}`]: (id: string, options?: CallOptions) => Promise<User>
}

/** @internal */
export const linkingRows = Object.fromEntries(
  Object.values(callNames).flatMap((name) => [
    [`link${name}`, link],
    [`unlink${name}`, link],
  ]),
) as LazyRows<LinkCalls & UnlinkCalls>

/** @internal */
export const linkingMessages = () =>
  Object.fromEntries(
    loginMethods.flatMap((method) => {
      const name = callNames[method]
      return [
        [
          `link${name}`,
          message(
            'link',
            linkingAnswers.link,
            () => ({ method }),
            ({ user }) => user,
          ),
        ],
        [
          `unlink${name}`,
          message(
            'unlink',
            linkingAnswers.unlink,
            (id: string) => ({ method, id: textIn('id', id) }),
            ({ user }) => user,
          ),
        ],
      ] satisfies [string, AnyMessage][]
    }),
  ) as unknown as Messages<LinkCalls & UnlinkCalls>
