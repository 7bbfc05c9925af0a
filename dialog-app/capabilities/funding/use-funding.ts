import { useAtomValue } from 'jotai/react'
import { useDialog } from '../../app/context.ts'
import type { LazyScreen, OpenProps } from '../../app/screen.ts'
import { type Funding, fundingAtom } from './create-funding.ts'

export type FundingProps = { funding: Funding }

/** Returns the state of the funding, and a function that opens its further screens. */
export function useFunding({ store, fail }: Funding) {
  const { screens } = useDialog()
  return {
    ...useAtomValue(fundingAtom, { store }),
    open<Props extends object>(screen: LazyScreen<Props>, props: OpenProps<Props>) {
      screens.open(screen, props).catch(fail)
    },
  }
}
