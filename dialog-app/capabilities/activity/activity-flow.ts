/** What the user's wallet signed, and what else was done with it, as the server wrote it down. */
import { type ActivityEntry, activityRoutes } from '@latchkey/protocol/api'
import { findNamedChain } from '@latchkey/protocol/chains'
import { formatTokens } from '@latchkey/protocol/reading'
import { rejectedError } from '../../approval/rejection.ts'
import type { ShowAccountEntry } from '../../contract/account.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { createMachine, partOf } from '../../flow/machine.ts'
import { screen, usablePart } from '../../flow/screen.ts'
import type { Settings } from '../../host/settings.ts'
import type { ActivityRow } from './activity-screen.tsx'
import {
  type ReadingEffect,
  type ReadingEvent,
  type ReadingState,
  readingStep,
  shownActivity,
  unread,
} from './activity-state.ts'
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
    const machine = createMachine<ReadingState, ReadingEvent, ReadingEffect>({
      initial: unread,
      step: readingStep,
      draw,
      ...partOf(handle),
      effects: { read },
    })
    function draw(state: ReadingState) {
      const view = screen(activityScreen, shownActivity(state), {
        retry: () => machine.send({ type: 'begin' }),
        more: () => machine.send({ type: 'older' }),
      })
      if (handle.isAt(activityScreen)) handle.update(view)
      else handle.go(view)
    }
    async function read({ before }: ReadingEffect): Promise<ReadingEvent> {
      const { signal } = handle
      const query = before === undefined ? undefined : { before }
      try {
        const { activity, next } = await api.call(activityRoutes.activity, undefined, { signal, query })
        return { type: 'page', rows: activity.map((entry) => rowOf(entry, settings().app)), next }
      } catch {
        return { type: 'not read' }
      }
    }
    return {
      kind: 'activity',
      run: () => machine.send({ type: 'begin' }),
      onClose: () => failed(rejectedError()),
      onBack: () => done(undefined),
    }
  }

/** A chain that no list has is said by its number, and its money is not. */
function rowOf(
  { id, kind, at, app: connected, place, chainId, to, value }: ActivityEntry,
  app: Settings['app'],
): ActivityRow {
  const chain = chainId === undefined ? undefined : findNamedChain(app, Number(chainId))
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
