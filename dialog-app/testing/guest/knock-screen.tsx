import { useState } from 'react'
import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/lazy/text-field.tsx'
import { Stack } from '../../ui/stack.tsx'
import { Title } from '../../ui/title.tsx'
import { texts } from './texts.arb'

export type KnockEvents = { answer: readonly [word: string] }

export function KnockScreen({ send }: PartProps<unknown, KnockEvents>) {
  const { knock } = useTexts(texts)
  const [word, setWord] = useState('')
  return (
    <Stack>
      <Title>{knock.title}</Title>
      <TextField label={knock.word} value={word} onChange={setWord} />
      <Button disabled={word === ''} onPress={() => send('answer', word)}>
        {knock.send}
      </Button>
    </Stack>
  )
}
