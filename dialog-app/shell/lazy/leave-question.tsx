import type { LeaveWords } from '../../flow/screen.ts'
import { Button } from '../../ui/button.tsx'
import { SmallDialog } from './small-dialog.tsx'

export type LeaveQuestionProps = {
  words: LeaveWords
  onStay: () => void
  onLeave: () => void
}

export const LeaveQuestion = ({ words, onStay, onLeave }: LeaveQuestionProps) => (
  <SmallDialog role="alertdialog" words={words} onClose={onStay}>
    {(close) => (
      <>
        <Button onPress={close}>{words.stay}</Button>
        <Button kind="quiet" onPress={onLeave}>
          {words.leave}
        </Button>
      </>
    )}
  </SmallDialog>
)
