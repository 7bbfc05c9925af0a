import type { MarkDrawing } from '../ui/marks/mark.tsx'

export const passkey: MarkDrawing = [
  {
    stroke: 'currentColor',
    width: 1.5,
    path: 'M4.5 6.25a3 3 0 1 0 6 0a3 3 0 1 0-6 0M1.9 16.25c.4-2.9 2.6-4.5 5.6-4.5 1 0 1.9.2 2.7.5M12.25 10.25a2.25 2.25 0 1 0 4.5 0a2.25 2.25 0 1 0-4.5 0M14.5 12.5v4.75l1.75-1.5M14.5 14.75l1.5-1.25',
  },
]
