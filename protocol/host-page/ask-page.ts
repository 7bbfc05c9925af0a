import * as v from 'valibot'
import { takeTelegramReturn as telegramReturn } from '../capabilities/telegram/page.ts'
import { takeTelegramReturn } from '../capabilities/telegram/return.ts'
import { LatchkeyError } from '../errors/errors.ts'

const wanted = v.object({ webApp: v.boolean() })

/** What the dialog may ask of the page itself. */
const answers: Readonly<Record<string, (given: unknown) => unknown>> = {
  [telegramReturn]: (given) => takeTelegramReturn(v.parse(wanted, given)),
}

export function askPage(method: string, [given]: readonly unknown[]): unknown {
  const answer = Object.hasOwn(answers, method) ? answers[method] : undefined
  if (answer) return answer(given)
  throw new LatchkeyError('method_not_found', `The page is not asked for ${method}`)
}
