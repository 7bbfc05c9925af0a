/** The end of an account: what is told, what goes, and who comes after. */
import type { Page } from '@playwright/test'
import { expectNoViolations } from './pages/axe.ts'
import type { Inbox } from './stack/inbox.ts'
import { appId, type Stack } from './stack/stack.ts'
import { expect, test } from './test.ts'
