/** A user is told by mail what happened: at each address that they log in with, or that a provider of theirs verified. */
import type { ServerContext } from '../context.ts'
import { type Notice, sendNotice, type Telling } from '../mail/mail.ts'
import { mailAddressesOf } from './accounts.ts'

type Call = Telling & { readonly caller: { readonly userId: string } }

export async function tellUser(
  { caller, ...telling }: Call,
  context: Pick<ServerContext, 'db' | 'ports' | 'log'>,
  notice: Notice,
): Promise<void> {
  const all = await mailAddressesOf(context.db, caller.userId)
  await sendNotice(context, [...new Set(all.map(({ address }) => address))], telling, notice)
}
