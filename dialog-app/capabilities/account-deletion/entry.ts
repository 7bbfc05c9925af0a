import type { ShowAccountEntry } from '../../contract/account.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { usablePart } from '../../flow/screen.ts'
import { createWalletCalls } from '../../wallet/wallet-obstacles.ts'
import { deletionFlow } from './deletion-flow.ts'
import { accountEntry } from './screens.ts'

export function createEntry(capability: CapabilityPorts): ShowAccountEntry {
  const ports = { ...capability, callWallet: createWalletCalls(capability.remedies) }
  return ({ user, card, isUsable }) => {
    const open = () => void card.interrupt(deletionFlow(ports, user)).catch(() => {})
    return usablePart(accountEntry, {}, { open }, isUsable)
  }
}
