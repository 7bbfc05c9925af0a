/** What ERROR_SCREEN says of an error. */
import type { ErrorCode, LatchkeyError } from '@latchkey/protocol'
import { httpStatus } from '../../api/problem.ts'
import { type ErrorTable, rowFor } from '../../contract/error-table.ts'

/** `undefined` takes the error's own message; the button goes back to where the user was. */
export type ErrorScreenText = {
  readonly title: string
  readonly detail: string | undefined
  readonly button: string
}

export const errorScreenTexts: ErrorTable<ErrorScreenText> = {
  byCode: {
    invalid_captcha: { title: 'Something went wrong', detail: 'Please try again.', button: 'Try again' },
    disallowed_login_method: { title: 'Not allowed', detail: undefined, button: 'Try another method' },
    captcha_failure: {
      title: 'Something went wrong',
      detail: 'You did not pass CAPTCHA. Please try again.',
      button: 'Try again',
    },
    captcha_timeout: {
      title: 'Something went wrong',
      detail: 'Something went wrong! Please try again later.',
      button: 'Try again',
    },
    linked_to_another_user: {
      title: 'Authentication failed',
      detail: 'This account has already been linked to another user.',
      button: 'Try again',
    },
    not_supported: {
      title: 'This region is not supported',
      detail: 'SMS authentication from this region is not available',
      button: 'Try another method',
    },
    too_many_requests: { title: 'Request failed', detail: 'Too many attempts.', button: 'Try again later' },
    client_request_timeout: { title: 'Timed out', detail: undefined, button: 'Try again' },
    session_storage_unavailable: {
      title: 'Your browser blocks this login',
      detail:
        'Its privacy settings block cookies and storage of other sites (“third-party” or “cross-site cookies”). Allow them for this page, then log in again.',
      button: 'Close',
    },
    twilio_verification_failed: { title: 'Something went wrong', detail: undefined, button: 'Try again' },
    user_unsubscribed: { title: 'Something went wrong', detail: undefined, button: 'Try again' },
  },
  other: { title: 'Something went wrong', detail: 'Try again later', button: 'Try again' },
}

/** HTTP 422 shows what the server said. */
export const unprocessableErrorText: ErrorScreenText = {
  title: 'Something went wrong',
  detail: undefined,
  button: 'Try again',
}

export type ErrorState = {
  readonly title: string
  readonly detail: string
  readonly button: string
  /** The detail is the server's own sentence, about this. */
  readonly code?: ErrorCode
}

const unprocessable = 422

export function errorState(error: LatchkeyError): ErrorState {
  const { title, detail, button } = textFor(error)
  return detail === undefined
    ? { title, detail: error.message, button, code: error.code }
    : { title, detail, button }
}

function textFor(error: LatchkeyError): ErrorScreenText {
  const row = rowFor(errorScreenTexts, error.code)
  const isOther = row === errorScreenTexts.other
  return isOther && httpStatus(error) === unprocessable ? unprocessableErrorText : row
}
