export { PasswordRequestPage, PasswordResetPage, VerifyPage, VerifySentPage } from "./PasswordPages";
export { SignInPage, SignUpPage } from "./SignPages";
