import type { MfaMethodType } from '@latchkey/protocol'
import type { PartProps } from '../../../core/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { StatusSeal } from '../../../ui/status-seal.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { texts } from '../texts.ts'

export type AddedState = {
  readonly method: MfaMethodType
  /** There is one that is not added. */
  readonly hasMore: boolean
}
export type AddedEvents = { readonly done: readonly []; readonly another: readonly [] }

export function AddedScreen({ state, send }: PartProps<AddedState, AddedEvents>) {
  const { added } = useTexts(texts)
  return (
    <Stack>
      <StatusSeal status="done" />
      <Heading>
        <Title>{added.titles[state.method]}</Title>
        <Lead>{added.detail}</Lead>
      </Heading>
      <Button onPress={() => send('done')}>{added.done}</Button>
      {state.hasMore && (
        <Button kind="quiet" onPress={() => send('another')}>
          {added.another}
        </Button>
      )}
    </Stack>
  )
}
