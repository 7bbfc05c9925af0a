/** Serves the host calls that link, unlink and change the user's accounts. */
import { LatchkeyError, type LoginMethod, messages, type UserRecord } from '@latchkey/protocol'
import { type HostCallAnswer, type HostCallData, linkingCalls } from '@latchkey/protocol/host'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { isOn, type MethodCode, type OfferedMethod } from '../../contract/login.ts'
import { type BeginForUser, createUserFlows } from '../../contract/user-flows.ts'
import type { Flow } from '../../flow/flow.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import { hostUser } from '../../host/host-user.ts'
import { requireUser } from '../../host/require-user.ts'
import { createLinkFlow, type Link } from './link-flow.ts'
import { createUnlinkCalls } from './unlink.ts'

type Answer = HostCallAnswer<'link'>

type LinkingPorts = CapabilityPorts & { begin: BeginForUser }

export function createLinking(capabilityPorts: CapabilityPorts): ServedHostCalls<keyof typeof linkingCalls> {
  const ports: LinkingPorts = { ...capabilityPorts, begin: createUserFlows(capabilityPorts) }
  return {
    rows: linkingCalls,
    handlers: {
      link: ({ method }, { signal }) => link(ports, method, 'link', signal),
      reauthorize: ({ provider }, { signal }) => reauthorize(ports, provider, signal),
      updateEmail: (_data, { signal }) => link(ports, 'email', 'replace', signal),
      unlink: (account, { signal }) => unlink(ports, account, signal),
    },
  }
}

/** Connects an account again to get new provider tokens, if the app gives those to the host. */
async function reauthorize(ports: LinkingPorts, provider: LoginMethod, signal: AbortSignal) {
  await requireUser(ports, { signal })
  if (!ports.settings().app.oauthTokensToHost) {
    throw new LatchkeyError('not_supported', 'This app hands out no tokens of providers')
  }
  return link(ports, provider, 'reauthorize', signal)
}

/** Links an account. Rejects without a card if the account cannot be linked. */
async function link(
  ports: LinkingPorts,
  method: LoginMethod,
  purpose: Link['purpose'],
  signal: AbortSignal,
): Promise<Answer> {
  const offered = offeredMethod(ports, method)
  if (!isOn(ports.settings().app, offered)) throw notOffered(method)
  const code = await offered.load()
  const { type } = code.account
  const refusal = code.refusesLink?.(await requireUser(ports, { signal }))
  if (refusal) throw refusal
  const [present] = await findAccounts(ports, code, signal)
  if (purpose !== 'link' && present === undefined) {
    throw new LatchkeyError('linked_account_not_found', `The user has no account of type ${type}`)
  }
  const provider = await code.account.providerName?.({ signal })
  if (purpose === 'link' && code.linkFlow) {
    return begin(ports, code.linkFlow(createUnlinkCalls(ports, offered, code, provider)), signal)
  }
  if (purpose === 'link' && present !== undefined && !code.account.isMany) {
    throw new LatchkeyError('cannot_link_more_of_type', messages.accountOfTypeLinked(type))
  }
  return begin(
    ports,
    (handle) =>
      createLinkFlow(ports, handle, {
        purpose,
        offered,
        code,
        provider,
        replacedId: purpose === 'replace' ? present?.id : undefined,
      }),
    signal,
  )
}

async function unlink(
  ports: LinkingPorts,
  { method, id }: HostCallData<'unlink'>,
  signal: AbortSignal,
): Promise<Answer> {
  const offered = offeredMethod(ports, method)
  const code = await offered.load()
  const accounts = await findAccounts(ports, code, signal)
  const { nameOf, stays, normalId = (same) => same } = code.account
  const match = accounts.find((each) => normalId(each.id) === normalId(id))
  if (!match) throw new LatchkeyError('linked_account_not_found', 'The user has no such account')
  const refusal = stays?.(match.account)
  if (refusal) throw refusal
  const provider = await code.account.providerName?.({ signal })
  return begin(
    ports,
    createUnlinkCalls(ports, offered, code, provider)(match.id, nameOf ? nameOf(match.account) : match.id),
    signal,
  )
}

async function begin(ports: LinkingPorts, flow: Flow<UserRecord>, signal: AbortSignal): Promise<Answer> {
  return { user: hostUser(await ports.begin(flow, signal)) }
}

function offeredMethod({ loginMethod }: CapabilityPorts, wanted: LoginMethod): OfferedMethod {
  const offered = loginMethod(wanted)
  if (!offered) throw notOffered(wanted)
  return offered
}

async function findAccounts(ports: CapabilityPorts, { account: kind }: MethodCode, signal: AbortSignal) {
  const { linkedAccounts } = await requireUser(ports, { signal })
  return linkedAccounts.flatMap((account) => {
    const id = kind.idOf(account)
    return id === undefined ? [] : { id, account }
  })
}

const notOffered = (method: LoginMethod) =>
  new LatchkeyError('disallowed_login_method', `This app has no login by ${method}`)
