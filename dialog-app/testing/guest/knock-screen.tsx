import { useState } from 'react'
import type { ScreenProps } from '../../app/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/lazy/text-field.tsx'
import { Stack } from '../../ui/stack.tsx'
import { Title } from '../../ui/title.tsx'
import { texts } from './texts.arb'

export const KnockScreen = ({ screen }: ScreenProps<string>) => <KnockView onAnswer={screen.resolve} />

export function KnockView({ onAnswer }: { onAnswer: (word: string) => void }) {
  const { knock } = useTexts(texts)
  const [word, setWord] = useState('')
  return (
    <Stack>
      <Title>{knock.title}</Title>
      <TextField label={knock.word} value={word} onChange={setWord} />
      <Button disabled={word === ''} onPress={() => onAnswer(word)}>
        {knock.send}
      </Button>
    </Stack>
  )
}
