/** @file Handles the submission of a form in the page. */

/** Returns a handler that does `work` instead of sending the form. */
export const onSubmit =
  (work: () => unknown) =>
  (event: SubmitEvent): void => {
    event.preventDefault();
    work();
  };
