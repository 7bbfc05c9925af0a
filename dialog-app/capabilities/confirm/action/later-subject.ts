/** What is done with an account, on the page of confirmations: in words of our own, read anew from the request. */
import { LatchkeyError } from '@latchkey/protocol'
import { type AccountAction, accountActionSchema, accountActionText } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { screen } from '../../../core/screen.ts'
import { appName } from '../../../core/settings.ts'
import type { ReadSubject } from '../../../core/subject.ts'
import { hexOfBytes } from '../../../hex.ts'
import { actionScreen } from '../screens.ts'
import type { ShownAction } from './action-screen.tsx'

export const readAction: ReadSubject = async ({ request, address, account, origin }, { settings }) => {
  const action = v.safeParse(accountActionSchema, request)
  if (!action.success) throw new LatchkeyError('invalid_data', 'This is nothing that is done with an account')
  const shown = {
    action: shownAction(action.output),
    appName: appName(settings()),
    origin,
    account,
    address,
  }
  return {
    digest: await digestOf(action.output),
    screen: (step, handlers) =>
      screen(
        actionScreen,
        step.status === 'review'
          ? { ...shown, status: 'review', approval: step.shown }
          : { ...shown, status: 'deciding' },
        handlers,
      ),
  }
}

function shownAction(action: AccountAction): ShownAction {
  return action.method === 'remove-method' ? `remove-${action.params[0]}` : action.method
}

async function digestOf(action: AccountAction): Promise<string> {
  const bytes = new TextEncoder().encode(accountActionText(action))
  return hexOfBytes(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}
