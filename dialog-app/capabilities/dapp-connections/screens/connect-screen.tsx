/** Takes the link of a dapp, and resolves with the proposal of the dapp. */
import { useState } from 'react'
import { useDialog } from '../../../app/context.ts'
import type { ScreenProps } from '../../../app/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/fields/lazy/text-field.tsx'
import { Heading, Note, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import type { Proposal, Proposed } from '../connections.ts'
import { type Link, type LinkProblem, readLink } from '../proposal/dapp-link.ts'
import type { PairingProblem } from '../proposal/pairing.ts'
import { texts } from '../texts.arb'

type Props = ScreenProps<Proposal, { propose: (link: Link) => Promise<Proposed> }>

export function ConnectScreen({ propose, screen }: Props) {
  const { clock } = useDialog().services
  const [link, setLink] = useState('')
  const [problem, setProblem] = useState<ConnectViewProps['problem']>()
  const [isPairing, setPairing] = useState(false)

  async function connect() {
    const parsed = readLink(link, clock.nowMs())
    if (parsed.is === 'problem') return setProblem(parsed.problem)
    setProblem(undefined)
    setPairing(true)
    try {
      const proposed = await propose(parsed)
      if (proposed.is !== 'problem') return screen.resolve(proposed)
      setProblem(proposed.problem)
      setPairing(false)
    } catch (error) {
      screen.reject(error)
    }
  }

  return (
    <ConnectView
      link={link}
      problem={problem}
      isPairing={isPairing}
      onChange={(text) => {
        setLink(text)
        // The problem was one of the previous text.
        setProblem(undefined)
      }}
      onConnect={() => void connect()}
      onLeave={screen.leave}
    />
  )
}

export type ConnectViewProps = {
  link: string
  problem: LinkProblem | PairingProblem | undefined
  isPairing: boolean
  onChange: (link: string) => void
  onConnect: () => void
  onLeave: () => void
}

export function ConnectView({ link, problem, isPairing, onChange, onConnect, onLeave }: ConnectViewProps) {
  const { link: words, cancel } = useTexts(texts)
  return (
    <Stack>
      <Heading>
        <Title>{words.title}</Title>
        <Lead>{words.detail}</Lead>
      </Heading>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isPairing) onConnect()
        }}
      >
        <TextField
          label={words.label}
          placeholder="wc:"
          dir="ltr"
          value={link}
          readOnly={isPairing}
          problem={problem && words.problems[problem]}
          onChange={onChange}
        />
      </form>
      <Note>{words.where}</Note>
      <Button busy={isPairing && words.pairing} onPress={onConnect}>
        {words.go}
      </Button>
      <Button kind="quiet" onPress={onLeave}>
        {cancel}
      </Button>
    </Stack>
  )
}
