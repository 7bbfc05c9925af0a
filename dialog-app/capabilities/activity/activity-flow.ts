/** What the user's wallet signed, and what else was done with it, as the server wrote it down. */
import { type ActivityEntry, activityRoutes } from '@latchkey/protocol/api'
import { namedChain } from '@latchkey/protocol/chains'
import { formatTokens } from '@latchkey/protocol/reading'
import { rejectedError } from '../../approval/rejection.ts'
import type { ShowAccountEntry } from '../../contract/account.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { screen, usablePart } from '../../flow/screen.ts'
import type { Settings } from '../../host/settings.ts'
import type { ActivityRow, ActivityState } from './activity-screen.tsx'
import { accountEntry, activityScreen } from './screens.ts'

type Ports = Pick<CapabilityPorts, 'api' | 'settings'>

export const showActivity =
  (ports: Ports): ShowAccountEntry =>
  ({ card, isUsable }) => {
    const open = () => void card.interrupt(activityFlow(ports)).catch(() => {})
    return usablePart(accountEntry, {}, { open }, isUsable)
  }

const activityFlow =
  ({ api, settings }: Ports): Flow<void> =>
  (handle) => {
    let rows: readonly ActivityRow[] = []
    let next: string | null = null
    let isReading = false

    function show(state: ActivityState) {
      const view = screen(activityScreen, state, { retry: () => void read(), more: () => void readOlder() })
      if (handle.isAt(activityScreen)) handle.update(view)
      else handle.go(view)
    }
    async function read() {
      show({ status: 'reading' })
      try {
        await readPage(undefined)
      } catch {
        if (!handle.signal.aborted) show({ status: 'failed' })
      }
    }
    async function readOlder() {
      if (next === null || isReading) return
      isReading = true
      show({ status: 'read', rows, older: 'reading' })
      try {
        await readPage(next)
      } catch {
        if (!handle.signal.aborted) show({ status: 'read', rows, older: 'failed' })
      } finally {
        isReading = false
      }
    }
    async function readPage(before: string | undefined) {
      const { signal } = handle
      const query = before === undefined ? undefined : { before }
      const page = await api.call(activityRoutes.activity, undefined, { signal, query })
      rows = [...rows, ...page.activity.map((entry) => rowOf(entry, settings().app))]
      next = page.next
      show({ status: 'read', rows, older: next === null ? 'none' : 'there' })
    }
    return {
      kind: 'activity',
      run: read,
      onClose: () => failed(rejectedError()),
      onBack: () => done(undefined),
    }
  }

/** A chain that no list has is said by its number, and its money is not. */
function rowOf(
  { id, kind, at, app: connected, place, chainId, to, value }: ActivityEntry,
  app: Settings['app'],
): ActivityRow {
  const chain = chainId === undefined ? undefined : namedChain(app, Number(chainId))
  return {
    id,
    kind,
    atMs: at * 1_000,
    isSilent: place === 'silent',
    app: connected,
    to,
    network: chain?.name ?? chainId,
    amount:
      chain && value !== undefined
        ? `${formatTokens(BigInt(value), chain.decimals)} ${chain.symbol}`
        : undefined,
  }
}
