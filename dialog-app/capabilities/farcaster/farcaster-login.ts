/** A login with Farcaster: the user approves it on a phone, and the server verifies the signature. */
import { farcasterRoutes } from '@latchkey/protocol/api'
import { pushOnCard } from '../../app/screen-stack.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodCode } from '../../contract/login.ts'
import { hasApp } from '../../phone-app/phone-app.ts'
import { awaitingScreen, farcasterEntry } from './screens.ts'

export const farcasterMethod = (
  ports: CapabilityPorts,
  { isPhone }: { isPhone: boolean } = { isPhone: hasApp(navigator) },
): MethodCode => ({
  account: {
    type: 'farcaster',
    idOf: (account) => (account.type === 'farcaster' ? String(account.fid) : undefined),
    nameOf: (account) =>
      account.type === 'farcaster' ? (account.username ?? String(account.fid)) : undefined,
    unlink: (fid, asker) => ports.api.call(farcasterRoutes.unlinkFarcaster, { fid: Number(fid) }, asker),
  },
  loadEntry: () => Promise.all([farcasterEntry.component.load(), farcasterEntry.texts.load()]),
  start(progress) {
    const { refusals, captchaPass } = ports
    function choose() {
      progress.chosen()
      void pushOnCard(ports, progress.card, awaitingScreen, { progress, refusals, captchaPass, isPhone })
    }
    const state = { isAlone: progress.purpose !== 'login' }
    return { entry: () => progress.entry(farcasterEntry, state, { choose }) }
  },
})
