/** What ERROR_SCREEN says about an error: the table of the specification. */
import {
  anyOtherError,
  type ErrorScreenText,
  errorScreenTexts,
  type LatchkeyError,
  unprocessableErrorText,
} from '@latchkey/protocol'
import { httpStatus } from '../../api/problem.ts'

export type ErrorState = { readonly title: string; readonly detail: string; readonly button: string }

const unprocessable = 422

export function errorState(error: LatchkeyError): ErrorState {
  const { title, detail, button } = textFor(error)
  return { title, detail: detail ?? error.message, button }
}

function textFor(error: LatchkeyError): ErrorScreenText {
  const byCode = errorScreenTexts[error.code]
  if (byCode) return byCode
  return httpStatus(error) === unprocessable ? unprocessableErrorText : anyOtherError
}
