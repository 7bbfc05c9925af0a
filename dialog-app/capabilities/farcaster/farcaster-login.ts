/** A login with Farcaster: the user approves it on a phone, and the server verifies the signature. */
import { farcasterRoutes } from '@latchkey/protocol/api'
import { createElement } from 'react'
import { pushOnCard } from '../../app/screen-stack.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodCode } from '../../contract/login.ts'
import { showElement } from '../../flow/screen.ts'
import { hasApp } from '../../phone-app/phone-app.ts'
import { FarcasterEntry } from './entry.tsx'
import { awaitingScreen } from './screens.ts'
import { texts } from './texts.arb'

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
  start(progress) {
    const { refusals, captchaPass } = ports
    function press() {
      if (!progress.isAtEntry()) return
      progress.chosen()
      void pushOnCard(ports, progress.card, awaitingScreen, { progress, refusals, captchaPass, isPhone })
    }
    const props = { isAlone: progress.purpose !== 'login', onPress: press }
    return { entry: showElement(createElement(FarcasterEntry, props), texts) }
  },
})
