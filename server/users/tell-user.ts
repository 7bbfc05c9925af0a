/** A user is told by mail what happened: at each address that they log in with. */
import type { ServerContext } from '../context.ts'
import { type Notice, sendNotice } from '../mail/mail.ts'
import type { App } from '../ports.ts'
import { requireUser } from './record.ts'

type Call = { readonly app: App; readonly caller: { readonly appId: string; readonly userId: string } }

export async function tellUser(
  { app, caller }: Call,
  context: Pick<ServerContext, 'db' | 'ports' | 'log'>,
  notice: Notice,
): Promise<void> {
  const { linkedAccounts } = await requireUser(context.db, caller.appId, caller.userId)
  const addresses = linkedAccounts.flatMap((account) => (account.type === 'email' ? [account.address] : []))
  await sendNotice(context, addresses, app, notice)
}
