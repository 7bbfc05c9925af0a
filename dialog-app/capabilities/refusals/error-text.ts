/** Maps an error to the texts of ERROR_SCREEN. */
import type { ErrorCode, LatchkeyError } from '@latchkey/protocol'
import { httpStatus } from '../../api/problem.ts'
import { type ErrorTable, rowFor } from '../../contract/error-table.ts'
import type { Texts } from './texts.arb'

type ErrorText = keyof Texts['error']

/** Texts for a code. Without a `detail`, the error's own message is shown. */
export type ErrorScreenText = {
  title: ErrorText
  detail: ErrorText | undefined
  button: ErrorText
}

export const errorScreenTexts: ErrorTable<ErrorScreenText> = {
  byCode: {
    invalid_captcha: { title: 'wrong', detail: 'tryAgain', button: 'again' },
    disallowed_login_method: { title: 'notAllowed', detail: undefined, button: 'otherMethod' },
    captcha_failure: {
      title: 'wrong',
      detail: 'captcha',
      button: 'again',
    },
    captcha_timeout: {
      title: 'wrong',
      detail: 'tryLater',
      button: 'again',
    },
    linked_to_another_user: {
      title: 'authentication',
      detail: 'linked',
      button: 'again',
    },
    not_supported: {
      title: 'region',
      detail: 'smsRegion',
      button: 'otherMethod',
    },
    too_many_requests: { title: 'failed', detail: 'attempts', button: 'later' },
    client_request_timeout: { title: 'timedOut', detail: undefined, button: 'again' },
    session_storage_unavailable: {
      title: 'blocked',
      detail: 'storage',
      button: 'close',
    },
    twilio_verification_failed: { title: 'wrong', detail: undefined, button: 'again' },
    user_unsubscribed: { title: 'wrong', detail: undefined, button: 'again' },
  },
  other: { title: 'wrong', detail: 'later', button: 'again' },
}

/** HTTP 422 shows the server's message. */
export const unprocessableErrorText: ErrorScreenText = {
  title: 'wrong',
  detail: undefined,
  button: 'again',
}

export type ErrorState = {
  title: ErrorText
  detail: ErrorText | { code: ErrorCode; sentence: string }
  button: ErrorText
}

const unprocessable = 422

export function errorState(error: LatchkeyError): ErrorState {
  const { title, detail, button } = textFor(error)
  return { title, detail: detail ?? { code: error.code, sentence: error.message }, button }
}

function textFor(error: LatchkeyError): ErrorScreenText {
  const row = rowFor(errorScreenTexts, error.code)
  const isOther = row === errorScreenTexts.other
  return isOther && httpStatus(error) === unprocessable ? unprocessableErrorText : row
}
