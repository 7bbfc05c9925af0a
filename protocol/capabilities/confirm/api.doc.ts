import type { RoutesDoc } from '../../rows/route.ts'
import type { confirmRoutes } from './api.ts'
import type { confirmPageRoutes } from './page.ts'

export const confirmDoc: RoutesDoc<typeof confirmRoutes & typeof confirmPageRoutes> = {
  putConfirmation: {
    says: 'Puts what is to be signed, or to be done with the account, under a handle of the dialog, for five minutes and one use. The server reads it by itself and says where it may be approved: in the frame, on a page of its own, or without anybody being asked. A browser that can not tell what covers the frame says `unseen`, and fewer things may be approved there. With `requester`, the name and the origin of a dapp that asks through a relay, a signature is for the page alone, and a text that logs in somewhere is refused unless it is for that origin. The same once more is answered the same, or is from then on for the stricter place that it names.',
    errors: [
      'must_be_authenticated',
      'embedded_wallet_not_found',
      'invalid_message',
      'invalid_data',
      'too_many_requests',
      'token_already_used',
    ],
  },
  confirmationStatus: {
    says: 'What the page of this handle said, for the session that put it.',
    errors: ['must_be_authenticated', 'not_found'],
  },
  readConfirmation: {
    says: 'What there is to approve, for the page that has the handle; of what is not open any more, its state alone. `passkey` is there for apps whose `cross_origin_opener_policy` cuts the page off from the wallet frame, where a passkey keeps the wallet of the user: what to ask it for, with a challenge that is good for this request alone, once, for five minutes.',
    errors: ['not_found'],
  },
  sendConfirmationCode: {
    says: 'Sends the user a code that approves this one request, for ten minutes: for apps whose `cross_origin_opener_policy` cuts the page off from the wallet frame. It says what is approved, and on which hostname it may be typed, and goes by mail to the address that the user has had longest, else by SMS to such a number. Who has neither, and an authenticator app, types a code of that (`totp`). What is new to the account is `method_too_new`.',
    errors: [
      'not_found',
      'not_supported',
      'linked_account_not_found',
      'method_too_new',
      'email_not_sent',
      'twilio_verification_failed',
      'too_many_requests',
    ],
  },
  decideConfirmation: {
    says: "Approves or refuses, once, the digest that the page has shown. To approve takes a statement of the session's device over handle and digest, which the vault signs for the page of the wallet origin alone; or, for apps whose pages are cut off from it, what the passkey of the wallet answered to the challenge of this request, or the code that was sent, or one of an authenticator app where nothing was. A passkey that is not the right one, or answers another challenge, is `invalid_credentials`. It answers the state that the request then has: another one than was asked for where it was decided before, or has expired.",
    errors: [
      'not_found',
      'invalid_data',
      'device_not_bound',
      'missing_or_invalid_token',
      'not_supported',
      'linked_account_not_found',
      'method_too_new',
      'invalid_credentials',
      'mfa_verification_max_attempts_reached',
      'too_many_requests',
    ],
  },
}
