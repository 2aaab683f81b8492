export { BadImage, type ImageType, imagePlaces, isImageType, type MadeImage, makeImage } from './image.ts'
