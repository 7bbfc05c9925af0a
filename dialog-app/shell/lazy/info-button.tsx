import { useState } from 'react'
import type { InfoWords } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { texts as shellTexts } from '../../i18n/shell-texts.arb'
import { Button, IconButton } from '../../ui/button.tsx'
import { RowIcon } from '../../ui/lazy/row-icon.tsx'
import { SmallDialog } from './small-dialog.tsx'

export type InfoButtonProps = { words: InfoWords }

export function InfoButton({ words }: InfoButtonProps) {
  const texts = useTexts(shellTexts)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton icon={<RowIcon name="info" />} label={words.title} onPress={() => setOpen(true)} />
      {isOpen && (
        <SmallDialog role="dialog" words={words} onClose={() => setOpen(false)}>
          {(close) => (
            <Button kind="quiet" onPress={close}>
              {texts.close}
            </Button>
          )}
        </SmallDialog>
      )}
    </>
  )
}
