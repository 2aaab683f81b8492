export { BadImage, type ImageType, imageSlots, isImageType, type MadeImage, makeImage } from './image.ts'
