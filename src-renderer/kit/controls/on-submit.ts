/** @file Handles the submission of a form in the page. */

/** Returns a handler that calls `work` and does not submit the form. */
export const onSubmit =
  (work: () => unknown) =>
  (event: SubmitEvent): void => {
    event.preventDefault();
    work();
  };
