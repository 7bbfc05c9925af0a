/** A user is told by mail what happened: at each address that they log in with. */
import type { ServerContext } from '../context.ts'
import { type Notice, sendNotice, type Telling } from '../mail/mail.ts'
import { requireUser } from './record.ts'

type Call = Telling & { readonly caller: { readonly appId: string; readonly userId: string } }

export async function tellUser(
  { caller, ...telling }: Call,
  context: Pick<ServerContext, 'db' | 'ports' | 'log'>,
  notice: Notice,
): Promise<void> {
  const { linkedAccounts } = await requireUser(context.db, caller.appId, caller.userId)
  const addresses = linkedAccounts.flatMap((account) => (account.type === 'email' ? [account.address] : []))
  await sendNotice(context, addresses, telling, notice)
}
