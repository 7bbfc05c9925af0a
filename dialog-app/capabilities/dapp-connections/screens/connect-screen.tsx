import { useState } from 'react'
import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/fields/lazy/text-field.tsx'
import { Heading, Note, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import type { LinkProblem } from '../proposal/dapp-link.ts'
import type { PairingProblem } from '../proposal/pairing.ts'
import { texts } from '../texts.arb'

export type ConnectState =
  | { status: 'asked'; problem: LinkProblem | PairingProblem | undefined }
  | { status: 'pairing' }
export type ConnectEvents = { connect: readonly [link: string]; leave: readonly [] }

/** The link is what its user typed, and nobody else's. */
export function ConnectScreen({ state, send }: PartProps<ConnectState, ConnectEvents>) {
  const { link: words, cancel } = useTexts(texts)
  const [link, setLink] = useState('')
  /** What was said of the link before is not of this one. */
  const [changed, setChanged] = useState(false)
  const isPairing = state.status === 'pairing'
  const problem = state.status === 'asked' && !changed ? state.problem : undefined
  function connect() {
    setChanged(false)
    send('connect', link)
  }
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
          if (!isPairing) connect()
        }}
      >
        <TextField
          label={words.label}
          placeholder="wc:"
          dir="ltr"
          value={link}
          readOnly={isPairing}
          problem={problem && words.problems[problem]}
          onChange={(text) => {
            setLink(text)
            setChanged(true)
          }}
        />
      </form>
      <Note>{words.where}</Note>
      <Button busy={isPairing && words.pairing} onPress={connect}>
        {words.go}
      </Button>
      <Button kind="quiet" onPress={() => send('leave')}>
        {cancel}
      </Button>
    </Stack>
  )
}
