/** The host's calls `link`, `unlink` and `updateEmail`. */
import { LatchkeyError, type LoginMethod, messages, type UserRecord } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { HostCallAnswer, HostCallData } from '../../core/host-calls.ts'
import type { OfferedMethod } from '../../core/login.ts'
import { requireUser } from '../../core/require-user.ts'
import { hostUser } from '../../host/host-user.ts'
import { createLinkFlow, type Link } from './link-flow.ts'
import { createUnlinkFlow } from './unlink-flow.ts'

type Answer = HostCallAnswer<'link'>

/** What can not be, the host hears without a card. */
export async function link(
  ports: CapabilityPorts,
  method: LoginMethod,
  purpose: Link['purpose'],
  signal: AbortSignal,
): Promise<Answer> {
  const offered = offeredMethod(ports, method)
  if (ports.settings().app[offered.appSetting] !== true) throw notOffered(method)
  const { type } = offered.account
  const [present] = await idsOf(ports, offered, signal)
  if (purpose === 'replace' && present === undefined) {
    throw new LatchkeyError('linked_account_not_found', `The user has no account of type ${type}`)
  }
  if (purpose === 'link' && present !== undefined) {
    throw new LatchkeyError('cannot_link_more_of_type', messages.accountOfTypeLinked(type))
  }
  const user = await ports.stage.begin<UserRecord>(
    (handle) => createLinkFlow(ports, handle, { purpose, offered, replacedId: present }),
    signal,
  )
  return { user: hostUser(user) }
}

export async function unlink(
  ports: CapabilityPorts,
  { method, id }: HostCallData<'unlink'>,
  signal: AbortSignal,
): Promise<Answer> {
  const offered = offeredMethod(ports, method)
  const ids = await idsOf(ports, offered, signal)
  if (!ids.includes(id)) throw new LatchkeyError('linked_account_not_found', 'The user has no such account')
  const user = await ports.stage.begin<UserRecord>(
    (handle) => createUnlinkFlow(ports, handle, { offered, id }),
    signal,
  )
  return { user: hostUser(user) }
}

function offeredMethod({ loginMethods }: CapabilityPorts, wanted: LoginMethod): OfferedMethod {
  const offered = loginMethods().find(({ method }) => method === wanted)
  if (!offered) throw notOffered(wanted)
  return offered
}

async function idsOf({ session }: CapabilityPorts, { account }: OfferedMethod, signal: AbortSignal) {
  const { linkedAccounts } = await requireUser(session, { signal })
  return linkedAccounts.flatMap((each) => account.idOf(each) ?? [])
}

const notOffered = (method: LoginMethod) =>
  new LatchkeyError('disallowed_login_method', `This app has no login by ${method}`)
