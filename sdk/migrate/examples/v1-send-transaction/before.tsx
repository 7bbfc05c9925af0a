import { usePrivy } from '@privy-io/react-auth'

export function Send({ to }: { to: `0x${string}` }) {
  const { sendTransaction } = usePrivy()

  async function send() {
    const receipt = await sendTransaction(
      { to, value: 1000n },
      { header: 'Send', buttonText: 'Send now', successHeader: 'Sent' },
    )
    console.log(`https://basescan.org/tx/${receipt.transactionHash}`)
  }
  async function sendTwice() {
    const { transactionHash } = await sendTransaction({ to, value: 1n })
    const whole = await sendTransaction({ to, value: 2n })
    // @ts-expect-error: left by the codemod
    return { transactionHash, gas: whole.gasUsed }
  }

  return <button onClick={() => send().then(sendTwice)}>Send</button>
}
