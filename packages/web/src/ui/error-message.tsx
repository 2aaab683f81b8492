import style from './error-message.module.css'

/** Why something was not done, where it was asked for. */
export const Refusal = ({ children }: { readonly children: string | null | undefined }) =>
  children ? (
    <p className={style.refusal} role="alert">
      {children}
    </p>
  ) : null
