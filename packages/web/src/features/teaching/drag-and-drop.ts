import type { DragEvent } from 'react'
import type { Section, SectionLesson } from './queries.ts'

/** The dragged item. */
export type Dragged = { readonly lesson: SectionLesson; readonly section?: never } | { readonly section: Section; readonly lesson?: never }

/** Props of a drag handle. `title` is the text other programs receive on drop. */
export const dragHandleProps = (title: string, onDrag: (on: boolean) => void) => ({
  draggable: true,
  onDragStart: (event: DragEvent) => {
    event.dataTransfer.effectAllowed = 'move'
    event.dataTransfer.setData('text/plain', title)
    onDrag(true)
  },
  onDragEnd: () => onDrag(false),
})

/** The drop position: before the element, or after it if the pointer is over its lower half. */
export const dropIndexAt = ({ clientY, currentTarget }: DragEvent, place: number): number => {
  const { top, height } = currentTarget.getBoundingClientRect()
  return clientY < top + height / 2 ? place : place + 1
}

/** Converts a gap to an index in the list without the item at `from`. */
export const indexOfGap = (gap: number, from: number): number => (from >= 0 && from < gap ? gap - 1 : gap)
