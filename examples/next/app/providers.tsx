'use client'

import { LatchkeyProvider } from '@latchkey/loader/react'
import type { ReactNode } from 'react'
import { appId, dialogUrl } from '../settings'

export function Providers({ children }: { children: ReactNode }) {
  return (
    <LatchkeyProvider appId={appId} dialogUrl={dialogUrl}>
      {children}
    </LatchkeyProvider>
  )
}
