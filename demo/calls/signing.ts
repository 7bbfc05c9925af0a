import { latchkey } from '../latchkey.ts'

export const signMessage = async (message: string) => {
  const { signature } = await latchkey.signMessage(message)
  return signature
}

export const signPermit = async (spender: string) => {
  const { address = '' } = (await latchkey.getUser())?.wallet ?? {}
  const { signature } = await latchkey.signTypedData(permit(address, spender))
  return signature
}

/** A token permit (ERC-2612), which lets another account spend tokens. */
const permit = (owner: string, spender: string) => ({
  primaryType: 'Permit',
  domain: { name: 'Sandbox Dollar', version: '1', chainId: 31_337, verifyingContract: token },
  types: {
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  message: { owner, spender, value: '5000000', nonce: '0', deadline: String(inAnHour()) },
})
const token = '0x00000000000000000000000000000000000ec002'
const inAnHour = () => Math.floor(Date.now() / 1_000) + 3_600
