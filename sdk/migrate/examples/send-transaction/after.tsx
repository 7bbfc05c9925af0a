import { useSendTransaction } from '@latchkey/loader/react'
import { encodeFunctionData, erc20Abi, parseUnits } from 'viem'

const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

export function Pay({ to, from }: { to: `0x${string}`; from: string }) {
  const { sendTransaction } = useSendTransaction({
    onSuccess: ({ hash }) => console.log(hash),
  })

  const pay = async () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, parseUnits('1', 6)] })
    const { hash } = await sendTransaction(
      { to: usdc, data, chainId: 8453 },
      { description: 'Pay one dollar', buttonText: 'Pay' },
    )
    return hash
  }
  // @ts-expect-error: left by the codemod
  const tip = () => sendTransaction({ to, value: 1n }, { sponsor: true })
  const plain = () => sendTransaction({ to, value: 1n })

  return (
    <>
      <button onClick={pay}>Pay</button>
      <button onClick={tip}>Tip</button>
      <button onClick={plain}>Send from {from}</button>
    </>
  )
}
