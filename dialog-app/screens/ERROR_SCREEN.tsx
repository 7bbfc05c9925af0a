import { Failure } from './failure.tsx'
import type { ScreenProps } from './screen.ts'

export const ERROR_SCREEN = ({ state, send }: ScreenProps<'ERROR_SCREEN'>) => (
  <Failure
    title={state.title}
    detail={state.detail}
    button={state.button}
    onPress={() => send({ type: 'retry' })}
  />
)
