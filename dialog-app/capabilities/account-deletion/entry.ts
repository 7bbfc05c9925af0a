import type { ShowAccountEntry } from '../../core/account.ts'
import type { CapabilityPorts } from '../../core/capability.ts'
import { usablePart } from '../../core/screen.ts'
import { createWalletCalls } from '../../core/wallet-obstacles.ts'
import { deletionFlow } from './deletion-flow.ts'
import { accountEntry } from './screens.ts'

export function createEntry(capability: CapabilityPorts): ShowAccountEntry {
  const ports = { ...capability, callWallet: createWalletCalls(capability.remedies) }
  return ({ user, card, isUsable }) => {
    const open = () => void card.interrupt(deletionFlow(ports, user)).catch(() => {})
    return usablePart(accountEntry, {}, { open }, isUsable)
  }
}
