/** A host may ask to unlink an account, and its user decides. `unlink-state.ts` says what comes next; this does it. */
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodCode, OfferedMethod, UnlinkFlow } from '../../contract/login.ts'
import { createMachine, partOf } from '../../flow/machine.ts'
import { screen } from '../../flow/screen.ts'
import { unlinkScreen } from './screens.ts'
import {
  endingOfClose,
  stillLinked,
  type UnlinkEffect,
  type UnlinkEvent,
  type UnlinkState,
  unlinkStep,
} from './unlink-state.ts'

export const unlinkFlow =
  (
    { session }: CapabilityPorts,
    { method }: OfferedMethod,
    { account }: MethodCode,
    provider: string | undefined,
  ): UnlinkFlow =>
  (id, name) =>
  (handle) => {
    const machine = createMachine<UnlinkState, UnlinkEvent, UnlinkEffect>({
      initial: stillLinked,
      step: unlinkStep,
      draw: (state) => handle.update(view(state)),
      ...partOf(handle),
      effects: {
        async unlink() {
          try {
            const user = await account.unlink(id, { signal: handle.signal })
            session.replaceUser(user)
            return { type: 'unlinked', user }
          } catch (cause) {
            return { type: 'not unlinked', cause }
          }
        },
        end: ({ ending }) => handle.end(ending),
      },
    })

    const view = ({ phase, problem }: UnlinkState) =>
      screen(
        unlinkScreen,
        { method, provider, name, isUnlinking: phase.at === 'unlinking', problem },
        { unlink: () => machine.send({ type: 'unlink' }), keep: () => handle.end(refused()) },
      )
    const refused = () => endingOfClose(machine.state())

    return {
      kind: 'link',
      run: () => handle.go(view(machine.state())),
      onClose: refused,
      onBack: refused,
    }
  }
