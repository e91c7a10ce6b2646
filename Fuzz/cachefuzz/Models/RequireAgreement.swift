import HTTPAgreement

/// Ends the process unless the two readings of the RFC agree.
func require(_ agreement: Agreement) {
    if case .broken(let difference) = agreement { fuzzFailure(difference) }
}
