// No test asks the metadata service of the machine that it runs on. Test files and the processes that they start inherit this.
process.env.AWS_EC2_METADATA_DISABLED = 'true'
